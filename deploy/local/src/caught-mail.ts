import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Address } from 'postal-mime';

/** A message as the page shows it and tests read it. */
export interface CaughtMessage {
  id: string;
  /** When it was caught, ISO 8601. */
  caughtAt: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  /** Empty if the message has no HTML part. */
  html: string;
  /** The http(s) links in the text, in order. */
  links: string[];
}

const KEPT_MESSAGES = 200;
/** `2026-11-20T08-42-13.120Z_<uuid>.eml`: sorting by name sorts by time. */
const FILE_NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3}Z)_[0-9a-f-]{36}\.eml$/;
export const LINK = /https?:\/\/[^\s<>"')\]]+/g;

const mailboxes = (addresses: readonly Address[] = []): string[] =>
  addresses.flatMap((address) => (address.group ? mailboxes(address.group) : (address.address ?? [])));

/** Messages as files in a folder, newest first. Only the newest 200 are kept. */
export class CaughtMail {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(folder: string): Promise<CaughtMail> {
    await mkdir(folder, { recursive: true });
    return new CaughtMail(folder);
  }

  async #names(): Promise<string[]> {
    return (await readdir(this.#folder))
      .filter((name) => FILE_NAME.test(name))
      .toSorted()
      .toReversed();
  }

  async add(message: Buffer): Promise<void> {
    const name = `${new Date().toISOString().replaceAll(':', '-')}_${randomUUID()}.eml`;
    const incoming = join(this.#folder, `${name}.incoming`);
    await writeFile(incoming, message, { mode: 0o600 });
    await rename(incoming, join(this.#folder, name));
    const surplus = (await this.#names()).slice(KEPT_MESSAGES);
    await Promise.all(surplus.map((old) => rm(join(this.#folder, old), { force: true })));
  }

  async list(): Promise<CaughtMessage[]> {
    return Promise.all((await this.#names()).map((name) => this.#read(name)));
  }

  /** Deletes the messages sent to an address. */
  async erase(email: string): Promise<void> {
    for (const name of await this.#names()) {
      const { to } = await this.#read(name);
      if (to.some((address) => address.toLowerCase() === email)) await rm(join(this.#folder, name), { force: true });
    }
  }

  async #read(name: string): Promise<CaughtMessage> {
    const mail = await PostalMime.parse(await readFile(join(this.#folder, name)));
    const text = mail.text ?? '';
    return {
      id: name.slice(0, -'.eml'.length),
      caughtAt: name.replace(FILE_NAME, '$1T$2:$3:$4'),
      from: mailboxes(mail.from && [mail.from]).join(', '),
      to: mailboxes(mail.to),
      subject: mail.subject ?? '',
      text,
      html: mail.html ?? '',
      links: text.match(LINK) ?? [],
    };
  }
}
