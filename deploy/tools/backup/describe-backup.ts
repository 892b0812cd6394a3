import type { Manifest } from './manifest.ts';

const number = new Intl.NumberFormat('en');

/** What a backup holds and how long it took, for the terminal. */
export function describeBackup({ collections, objects }: Manifest, startedAtMs: number): string {
  const documents = (name: string) =>
    number.format(collections.find(({ collection }) => collection === name)?.documents ?? 0);
  const megabytes = (objects.sizeBytesInAll / 1e6).toFixed(1);
  const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
  return `${documents('users')} users, ${documents('sessions')} sessions, ${documents('recordings')} recordings and ${number.format(objects.count)} media files (${megabytes} MB) in ${seconds} s.`;
}
