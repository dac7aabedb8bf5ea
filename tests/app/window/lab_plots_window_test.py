"""Labs with plots in a real window: sweeps, the roofline, and the page of a reproduction."""

import html.parser
import json

import program
import window


class LabPlotsWindowTest(window.WindowTestCase):
    def open_lab(self, lab):
        opened = self.open()
        opened.press("5")
        opened.click(f"lab: {lab}")
        return opened

    def wait_until_done(self, opened):
        window.wait_for("the start", lambda: "cancel" in opened.controls())
        window.wait_for("the end", lambda: "start" in opened.controls(), timeout_s=120)

    def test_a_sweep_fills_in(self):
        opened = self.open_lab("sweep")
        self.choose(opened, "over", "item size")
        opened.click("start")
        self.wait_until_done(opened)
        picture, _ = opened.capture()
        x, y, width, height = opened.controls()["sweep plot"]
        self.assertGreater(program.probe(picture, (x, y, width, height))["colours"], 20, "the plot is empty")

    def test_a_cancelled_sweep_keeps_its_results(self):
        opened = self.open_lab("sweep")
        opened.click("start")
        window.wait_for("the start", lambda: "cancel" in opened.controls())
        opened.click("cancel")
        window.wait_for("the end", lambda: "start" in opened.controls(), timeout_s=60)
        self.assertIn("sweep plot", opened.controls())

    def test_the_roofline_is_drawn(self):
        opened = self.open_lab("roofline")
        opened.click("start")
        self.wait_until_done(opened)
        picture, _ = opened.capture()
        self.assertGreater(program.probe(picture, opened.controls()["roofline plot"])["colours"], 20)

    def test_a_reproduction_exports_its_page(self):
        opened = self.open_lab("reproduce")
        opened.click("start")
        self.wait_until_done(opened)
        opened.capture()
        opened.click("export page")
        page = window.wait_for("the page", lambda: next(opened.captures.glob("warpsieve-*-reproduction.html"), None))
        text = window.wait_for("its text", lambda: page.read_text(encoding="utf-8"))
        # The message comes in the frame after a thread has written the file.
        window.wait_for("the message", lambda: f"Saved {page.relative_to(opened.folder)}" in opened.messages())
        html.parser.HTMLParser().feed(text)
        self.assertIn("Six implementations", text)
        self.assertNotIn("<script", text)

    def test_settings_of_the_labs_are_remembered(self):
        opened = self.open_lab("sweep")
        self.choose(opened, "over", "keep fraction")
        self.choose(opened, "show", "% of copy bandwidth")
        self.assertEqual(opened.quit(), 0)
        kept = json.loads(opened.settings.read_text(encoding="utf-8"))
        self.assertEqual(kept["labs"]["sweep"]["axis"], "density")
        self.assertEqual(kept["labs"]["sweep"]["shows"], "share")
        self.assertEqual(kept["labs"]["lab"], "sweep")


if __name__ == "__main__":
    program.main()
