import { StartupError } from '@interview-prep/local/startup-error';

/** Runs a command. Errors that the user can fix are printed as one sentence, with exit status 1. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    if (!(error instanceof StartupError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')))
      throw error;
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
