const sampleRate = 16_000;
const samples = 1600;

/**
 * A tenth of a second of silence as WAV. It is cheap, since no speech engine gets it.
 * @param mark makes its bytes differ from other recordings
 */
export function silentRecording(mark: string): Buffer {
  const chunk = (id: string, content: Buffer) => {
    const head = Buffer.alloc(8);
    head.write(id, 'latin1');
    head.writeUInt32LE(content.length, 4);
    return Buffer.concat([head, content]);
  };
  const format = Buffer.alloc(16);
  format.writeUInt16LE(1, 0);
  format.writeUInt16LE(1, 2);
  format.writeUInt32LE(sampleRate, 4);
  format.writeUInt32LE(sampleRate * 2, 8);
  format.writeUInt16LE(2, 12);
  format.writeUInt16LE(16, 14);
  const evenLength = Buffer.alloc(40);
  evenLength.write(mark);
  const chunks = [chunk('fmt ', format), chunk('data', Buffer.alloc(samples * 2)), chunk('mark', evenLength)];
  return chunk('RIFF', Buffer.concat([Buffer.from('WAVE'), ...chunks]));
}
