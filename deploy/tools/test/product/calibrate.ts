import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { Product } from './running-product.ts';

const script = fileURLToPath(new URL('../../calibrate/calibrate.ts', import.meta.url));
const password = 'a password for calibrating';

/** The command, run by an admin on a product with hardly any reviews. */
export function testCalibrate(running: () => Product): void {
  it('prints the agreement and what the judge learned', async () => {
    const { stack, newAdmin } = running();
    const { email } = await newAdmin(password);
    const env = { ...process.env, CALIBRATE_EMAIL: email, CALIBRATE_PASSWORD: password };
    const { stdout } = await promisify(execFile)(process.execPath, [script, stack.url], { env });
    expect(stdout).toMatch(/^(?:No answer has been judged by both machine and person yet\.|answers +apart)/);
    expect(stdout).toMatch(
      /Decisions: +\d of admins about its points\nIn use: .*\(from the model\)\n\d\d more decisions are/,
    );
  });
}
