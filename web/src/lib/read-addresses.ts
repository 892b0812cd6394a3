import type { NewInvitations } from '@interview-prep/contracts/auth/groups';

/** Who is named in pasted text: `Ada <ada@example.com>`, or bare addresses, apart by lines, commas or semicolons. */
export interface ReadAddresses {
  people: NewInvitations['people'];
  /** What is no address. */
  faults: string[];
}

const address = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/;

/** Reads pasted addresses. An address that is there twice counts once. */
export function readAddresses(text: string): ReadAddresses {
  const people = new Map<string, NewInvitations['people'][number]>();
  const faults: string[] = [];
  for (const entry of text.split(/[\n,;]+/).map((one) => one.trim())) {
    if (entry === '') continue;
    const named = /^(.*)<([^<>]*)>$/.exec(entry);
    const email = (named?.[2] ?? entry).trim().toLowerCase();
    const name = (named?.[1] ?? '').trim().replace(/^"(.*)"$/, '$1');
    if (!address.test(email)) faults.push(entry);
    else if (!people.has(email)) people.set(email, { email, name });
  }
  return { people: [...people.values()], faults };
}
