"""One item followed through the views of a real window. The pictures stay in the output folder."""

import program
import window


class FollowWindowTest(window.WindowTestCase):
    def test_point_pin_and_let_go(self):
        opened = self.open("--engine", "cpu", "--slots", "2^14")
        self.assertNotIn("followed item", opened.controls())
        x, y, width, height = opened.controls()["view"]
        opened.move((x + width // 2, y + height * 3 // 4))  # the field of slots
        opened.frames(20)
        opened.xdotool("click", 1)
        window.wait_for("the strip", lambda: "followed item" in opened.controls())
        for key in "2375":
            opened.press(key)
            opened.frames(5)
            self.assertIn("followed item", opened.controls())
        opened.press("2")
        opened.frames(5)
        opened.capture()
        opened.press("Escape")
        window.wait_for("its end", lambda: "followed item" not in opened.controls())
        self.assertEqual(opened.quit(), 0)

    def test_a_slot_of_the_map_is_pinned_too(self):
        opened = self.open("--engine", "cpu", "--slots", "2^14", "--tab", "slot_map")
        opened.frames(20)
        opened.click("slot map: sparse")
        window.wait_for("the strip", lambda: "followed item" in opened.controls())
        opened.press("1")
        opened.frames(5)
        self.assertIn("followed item", opened.controls())
        self.assertEqual(opened.quit(), 0)


if __name__ == "__main__":
    program.main()
