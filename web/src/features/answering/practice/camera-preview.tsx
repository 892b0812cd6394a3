import { Button, Text } from '@mantine/core';
import { IconMicrophone, IconVideo, IconVideoOff } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { DeviceProblem } from '../../../lib/recording/device-problem.ts';
import type { Input } from '../session/answer-events.ts';
import classes from './camera-preview.module.css';
import { cameraAdvice } from './device-advice.ts';

interface CameraPreviewProps {
  input: Input;
  cameraProblem: DeviceProblem | null;
  /** Undefined while recording, since reopening the camera would end it. */
  onRetry: (() => void) | undefined;
}

/** The mirrored camera picture, or why there is none. */
export function CameraPreview({ input, cameraProblem, onRetry }: CameraPreviewProps) {
  const video = useRef<HTMLVideoElement>(null);
  const stream = input.status === 'open' && cameraProblem === null ? input.stream : null;

  useEffect(() => {
    if (video.current) video.current.srcObject = stream;
  }, [stream]);

  return (
    <div className={classes.frame}>
      {stream && <video ref={video} className={classes.video} autoPlay muted playsInline aria-label="Camera preview" />}
      {input.status === 'opening' && (
        <div className={classes.instead} role="status">
          <IconVideo size={28} stroke={1.5} aria-hidden />
          <Text size="sm">Allow the camera and microphone when your browser asks.</Text>
        </div>
      )}
      {input.status === 'failed' && (
        <div className={classes.instead}>
          <IconVideoOff size={28} stroke={1.5} aria-hidden />
          <Text size="sm">Camera off</Text>
        </div>
      )}
      {cameraProblem !== null && (
        <div className={classes.instead} role="status">
          <IconMicrophone size={28} stroke={1.5} aria-hidden />
          <Text size="sm" fw={600}>
            Only your voice is recorded
          </Text>
          <Text size="sm">{cameraAdvice[cameraProblem]}</Text>
          {onRetry && (
            <Button size="xs" variant="default" onClick={onRetry}>
              Try the camera again
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
