import { expect, test } from 'vitest';
import { readAddresses } from '../features/admin/groups/invite-dialog.tsx';

test('emails can be separated by lines, commas or semicolons, with or without names, and count once', () => {
  const text =
    'Ada Lovelace <Ada@example.com>, alan@example.com;\n\n"Hopper, no" \n"Grace" <grace@example.com>\nada@example.com';
  expect(readAddresses(text)).toEqual({
    people: [
      { email: 'ada@example.com', name: 'Ada Lovelace' },
      { email: 'alan@example.com', name: '' },
      { email: 'grace@example.com', name: 'Grace' },
    ],
    faults: ['"Hopper', 'no"'],
  });
});
