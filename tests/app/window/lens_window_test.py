"""The A/B lens in a real window, driven by mouse and keys. The pictures stay in the output folder."""

import json

import program
import window


def b_is_timed(sidecar):
    """Whether B has figures of some frames and one of them was checked."""
    b = sidecar.get("b")
    return b and b["timings_us"].get("total", {"n": 0})["n"] > 30 and b["check"]["checked"] > 0


class LensWindowTest(window.WindowTestCase):
    def drag_divider(self, opened, to_share):
        """Drags the divider and returns its position, both as a share of the view's width."""
        self.dismiss_messages(opened)
        x, y, width, height = opened.controls()["view"]
        opened.move(opened.position("divider"))
        opened.xdotool("mousedown", 1)
        opened.frames()
        opened.move((x + round(width * to_share), y + height // 2))
        opened.xdotool("mouseup", 1)
        opened.frames()
        return (opened.position("divider")[0] - x) / width

    def test_open_choose_drag_swap_and_start_again(self):
        opened = self.open("--lens-mode", "particles")
        _, before = opened.capture()
        self.assertNotIn("b", before)
        opened.press("3")
        self.choose_side(opened, "B", "cpu_loop")
        picture, sidecar = opened.capture_when(b_is_timed)
        self.assertEqual(sidecar["algorithm"], "cpu_sequence_wise")
        b = sidecar["b"]
        self.assertEqual(b["algorithm"], "cpu_loop")
        self.assertEqual(b["check"]["state"], "correct")
        self.assertIn("--tab lens --b cpu_loop", sidecar["command"])
        left, right = self.halves(opened, picture)
        self.assertGreater(left["colours"], 100, "A's particles are missing")
        self.assertGreater(right["colours"], 100, "B's particles are missing")

        self.assertAlmostEqual(self.drag_divider(opened, 0.25), 0.25, delta=0.01)
        opened.press("Right")  # the key repeats if frames are slow
        x, _, width, _ = opened.controls()["view"]
        divider = (opened.position("divider")[0] - x) / width
        self.assertGreater(divider, 0.26)
        self.assertLess(divider, 0.5)
        opened.press("x")
        opened.frames(5)
        _, swapped = opened.capture()
        self.assertEqual((swapped["algorithm"], swapped["b"]["algorithm"]), ("cpu_loop", "cpu_sequence_wise"))
        self.assertLess(swapped["b"]["ratio"]["pairs"], b["ratio"]["pairs"], "the ratio was not reset")
        opened.click("vector width: pair")  # the controls still set B
        _, narrowed = opened.capture()
        self.assertEqual(narrowed["b"]["options"]["vector-width"], {"value": 2, "automatic": False})
        opened.click("B to A")
        _, copied = opened.capture()
        self.assertEqual(copied["algorithm"], "cpu_sequence_wise")
        self.assertEqual(copied["options"]["vector-width"]["value"], 2)

        self.assertEqual(opened.quit(), 0, opened.messages())
        again = self.enterContext(window.Window(self.display_name, opened.folder))
        again.frames()
        x, _, width, _ = again.controls()["view"]
        self.assertAlmostEqual((again.position("divider")[0] - x) / width, divider, delta=0.005)
        _, sidecar = again.capture()
        self.assertEqual(sidecar["b"]["options"]["vector-width"]["value"], 2)
        self.assertEqual(again.quit(), 0, again.messages())

    def test_both_sides_make_one_picture_of_equal_results(self):
        opened = self.open("--lens-mode", "particles", "--b", "cpu_loop")
        opened.press("space")
        opened.frames(5)
        x, y, width, height = opened.controls()["view"]
        # An area that the divider crosses, above captions and ratio and below messages.
        place = (x + width // 2 - 60, y + height // 3, 120, height // 6)
        self.drag_divider(opened, 0.1)
        opened.move((x + 5, y + 5))
        of_b, _ = opened.capture()
        self.drag_divider(opened, 0.9)
        opened.move((x + 5, y + 5))
        of_a, _ = opened.capture()
        self.assertGreater(program.probe(of_a, place)["colours"], 100)
        self.assertEqual(program.probe(of_a, place), program.probe(of_b, place))

    def test_sizes_and_scales(self):
        for size, scale in (("1024x640", 1), ("1024x640", 2), ("2560x1440", 2)):
            with self.subTest(size=size, scale=scale):
                opened = self.open("--lens-mode", "particles", "--b", "cpu_loop", "--scale", scale, size=size,
                                   part=f"_{size}_{scale}")
                opened.capture_when(b_is_timed)
                controls = opened.controls()
                x, y, width, height = controls["view"]
                # A small view shows only the ratio.
                roomy = height > 130 * scale
                for label in ("ratio", "caption A", "caption B") if roomy else ("ratio",):
                    left, top, wide, high = controls[label]
                    self.assertGreaterEqual(left, x, label)
                    self.assertLessEqual(left + wide, x + width, label)
                    self.assertGreaterEqual(top, y, label)
                    self.assertLessEqual(top + high, y + height, label)
                self.assertEqual(opened.quit(), 0, opened.messages())
                if not roomy:
                    continue
                self.assertLessEqual(controls["caption A"][0] + controls["caption A"][2], controls["caption B"][0])
                self.assertLessEqual(controls["ratio"][1] + controls["ratio"][3], controls["caption A"][1])

    def test_headless_reports_both_sides(self):
        folder = program.output_folder(self._testMethodName)
        done = program.run(folder, "--headless", "--engine", "cpu", "--slots", "2^14", "--algorithm", "cpu_loop",
                           "--b", "cpu_sequence_wise", "--b-vector-width", "pair", "--frames", 100, "--json",
                           "first.json", "--screenshot", "first.png")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("B: cpu_sequence_wise", done.stdout)
        self.assertIn("A/B, interactive: ", done.stdout)
        self.assertEqual(done.stdout.count("check: "), 2)
        self.assertIn("0 allocations, 0 synchronisations", done.stderr)
        first = json.loads((folder / "first.json").read_text(encoding="utf-8"))
        # The reported command repeats the run.
        again = program.run(folder, *first["command"].split()[1:], "--json", "again.json")
        self.assertEqual(again.returncode, 0, again.stderr)
        second = json.loads((folder / "again.json").read_text(encoding="utf-8"))
        for field in ("algorithm", "options", "slots", "kept"):
            self.assertEqual(second[field], first[field], field)
        for field in ("algorithm", "options", "kept"):
            self.assertEqual(second["b"][field], first["b"][field], field)

    def test_b_on_another_engine_is_refused(self):
        folder = program.output_folder(self._testMethodName)
        done = program.run(folder, "--headless", "--engine", "cpu", "--b", "cub_select")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("--b cub_select runs on the cuda engine", done.stderr)
        done = program.run(folder, "--headless", "--engine", "cpu", "--tab", "lense")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("lens", done.stderr + done.stdout)


if __name__ == "__main__":
    program.main()
