import { webVtt } from '@interview-prep/contracts/web-vtt';
import { Button } from '@mantine/core';
import { IconBadgeCc } from '@tabler/icons-react';
import { saveFile } from '../../../lib/save-file.ts';
import type { SessionRecording } from '../session-types.ts';

/** Saves an answer's transcript as WebVTT captions; nothing where its words have no times. */
export function SaveCaptions({ recording: { transcription, questionId, take } }: { recording: SessionRecording }) {
  const words = transcription.words ?? [];
  if (words.length === 0) return null;
  return (
    <Button
      variant="subtle"
      color="gray"
      size="xs"
      leftSection={<IconBadgeCc size={14} aria-hidden />}
      onClick={() => saveFile(`question-${questionId + 1}-take-${take}.vtt`, webVtt(words), 'text/vtt')}
    >
      Save captions (WebVTT)
    </Button>
  );
}
