/** What a process writes of the settings that it refuses, without starting it. @param read with `parseSettings` */
export function settingFaults(read: () => unknown): string {
  const { exit } = process;
  const { write } = process.stderr;
  let written = '';
  process.stderr.write = (text) => {
    written += text;
    return true;
  };
  process.exit = (status) => {
    throw new Error(`exit ${status}`);
  };
  try {
    read();
    throw new Error('the settings were taken');
  } catch (error) {
    if ((error as Error).message !== 'exit 1') throw error;
    return written;
  } finally {
    process.exit = exit;
    process.stderr.write = write;
  }
}
