"""The kernel view in a real window, driven by mouse and keys. The pictures stay in the output folder."""

import json

import program
import window


class KernelWindowTest(window.WindowTestCase):
    def open_view(self):
        opened = self.open("--engine", "simulated", "--algorithm", "sequence_wise", "--slots", "2^12", "--tab", "kernel")
        self.wait_for_steps(opened)
        return opened

    @staticmethod
    def wait_for_steps(opened):
        window.wait_for("the traced kernels", lambda: "kernel: timeline" in opened.controls())
        opened.frames()

    def close_and_read(self, opened):
        """Ends the program; returns the settings that it keeps."""
        self.assertEqual(opened.quit(), 0, opened.messages())
        return json.loads(opened.settings.read_text(encoding="utf-8"))

    def test_step_scrub_and_come_back(self):
        opened = self.open_view()
        for _ in range(3):
            opened.press("Right")
        opened.click("kernel: timeline")
        scrubbed, _ = opened.capture()
        kept = self.close_and_read(opened)
        self.assertGreater(kept["kernel_step"], 10, "a click in the middle of the timeline leads to its begin")
        again = self.enterContext(window.Window(self.display_name, opened.folder))
        self.wait_for_steps(again)
        again.move(again.position("kernel: timeline"))
        restored, _ = again.capture()
        area = again.controls()["kernel: sentence"]
        self.assertEqual(program.probe(scrubbed, area), program.probe(restored, area))
        again.press("Left")
        self.assertEqual(self.close_and_read(again)["kernel_step"], kept["kernel_step"] - 1)

    def test_a_breakpoint_stops_at_its_line(self):
        opened = self.open_view()
        opened.press("Right")
        self.assertNotIn("run to breakpoint", opened.controls())
        opened.press("p")  # at the line that runs, which other warps run later
        window.wait_for("the button", lambda: "run to breakpoint" in opened.controls())
        _, before = opened.capture()
        opened.press("n")
        _, after = opened.capture()
        self.assertGreater(after["settings"]["kernel_step"], before["settings"]["kernel_step"])
        opened.press("p")  # removes the breakpoint, because that line runs again
        window.wait_for("its end", lambda: "run to breakpoint" not in opened.controls())
        self.assertEqual(opened.quit(), 0)

    def test_an_item_is_followed_to_its_stores(self):
        opened = self.open_view()
        opened.press("f")
        window.wait_for("the item", lambda: "kernel: item" in opened.controls())
        opened.press("ctrl", "Right")
        opened.press("ctrl", "Right")
        opened.capture()
        kept = self.close_and_read(opened)
        self.assertGreater(kept["kernel_item"], 0)
        self.assertGreater(kept["kernel_step"], 0)

    def test_the_other_order_and_the_next_seed(self):
        opened = self.open_view()
        opened.press("o")
        opened.press("s")
        self.wait_for_steps(opened)
        kept = self.close_and_read(opened)
        self.assertEqual((kept["kernel_order"], kept["kernel_seed"]), ("lanes", 1))

    def test_a_planted_fault_repeats_by_replay(self):
        opened = self.open_view()
        opened.click("kernel fault")
        opened.press("Down")  # to "none"
        opened.press("Down")
        opened.press("Return")
        opened.press("Escape")  # Left steps again
        window.wait_for("the finding", lambda: "kernel: finding" in opened.controls())
        opened.press("j")
        opened.press("Left")
        picture, sidecar = opened.capture()
        chosen = sidecar["settings"]
        self.assertEqual((chosen["kernel_plant"], chosen["kernel_order"]), ("scan-barrier", "lanes"))
        self.assertEqual(opened.quit(), 0, opened.messages())
        again = self.enterContext(window.Window(self.display_name, program.output_folder("planted_again"),
                                                "--replay", picture, "--size", "1280x720"))
        window.wait_for("the finding", lambda: "kernel: finding" in again.controls())
        again.frames()
        repeated, sidecar = again.capture()
        for key, value in chosen.items():
            if key.startswith("kernel_"):
                self.assertEqual(sidecar["settings"][key], value, key)
        for part in ("kernel: planted", "kernel: finding", "kernel: sentence"):
            area = again.controls()[part]
            self.assertEqual(program.probe(picture, area), program.probe(repeated, area), part)

    def test_a_slot_of_the_map_is_shown_in_the_kernels(self):
        opened = self.open("--engine", "simulated", "--algorithm", "sequence_wise", "--slots", "2^12", "--tab", "slot_map")
        opened.frames(20)
        opened.click("slot map: sparse")
        window.wait_for("the strip", lambda: "followed item" in opened.controls())
        opened.press("d")
        window.wait_for("its path", lambda: "kernel: item" in opened.controls())
        opened.frames()
        picture, sidecar = opened.capture()
        self.assertGreater(sidecar["settings"]["kernel_slot"], 0)
        self.assertEqual(opened.quit(), 0, opened.messages())
        again = self.enterContext(window.Window(self.display_name, program.output_folder("in_the_kernels_again"),
                                                "--replay", picture, "--size", "1280x720"))
        window.wait_for("its path", lambda: "kernel: item" in again.controls())
        repeated, _ = again.capture()
        for part in ("kernel: item", "kernel: sentence"):
            area = opened.controls()[part]
            self.assertEqual(program.probe(picture, area), program.probe(repeated, again.controls()[part]), part)


if __name__ == "__main__":
    program.main()
