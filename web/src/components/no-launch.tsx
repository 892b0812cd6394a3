import { Text } from '@mantine/core';

/** Says what to do on a page of a launch that was opened by hand, or whose launch is over. */
export function NoLaunch() {
  return (
    <Text ta="center">
      This page opens activities of a course. Go to your course in Moodle, Canvas or another learning platform, and open
      the activity there.
    </Text>
  );
}
