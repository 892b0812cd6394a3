/** Shown on a launch page that was opened by hand, or whose launch has ended. */
export function NoLaunch() {
  return (
    <>
      This page opens activities of a course. Go to your course in Moodle, Canvas or another learning platform, and open
      the activity there.
    </>
  );
}
