import { describe, expect, test } from 'vitest';
import { readPeople } from './read-people.ts';

const read = (...rows: string[]) => readPeople(rows.join('\r\n'));

test('people are read with name and role, in the words of screens or the API, with columns in any order', async () => {
  expect(
    await read(
      'Role;Name;E-mail address',
      'Developer;Ann Bo;Ann@Example.com',
      ';;ben@example.com',
      '',
      'admin;Cy;c@x.org',
    ),
  ).toEqual({
    people: [
      { email: 'ann@example.com', name: 'Ann Bo', role: 'dev' },
      { email: 'ben@example.com', name: '', role: 'others' },
      { email: 'c@x.org', name: 'Cy', role: 'admin' },
    ],
    errors: [],
  });
});

describe('errors name the row and column', () => {
  test.each([
    ['no column email', ['name,role', 'Ann,admin'], [['Row 1', 'The column “email” is missing']]],
    [
      'a bad email',
      ['email', 'ann@example.com', 'ann'],
      [['Row 3, column email', 'Please enter a valid email address']],
    ],
    ['a blank email', ['email,name', ',Ann'], [['Row 2, column email', 'Email is required']]],
    [
      'an unknown role',
      ['email,role', 'ann@example.com,owner'],
      [['Row 2, column role', 'Role must be candidate, developer or admin']],
    ],
    [
      'a long name',
      ['email,name', `ann@example.com,${'x'.repeat(101)}`],
      [['Row 2, column name', 'Name must be at most 100 characters']],
    ],
    [
      'the same email twice',
      ['email', 'ann@example.com', 'Ann@example.com'],
      [['Row 3, column email', 'ann@example.com is also in row 2']],
    ],
    [
      'a stray comma',
      ['email,name', 'ann@example.com,Bo, Ann'],
      [['Row 2, column 3', '“Ann” is beyond the last column. Put text that contains a “,” in quotes.']],
    ],
    ['nobody', ['email'], [['File', 'This file lists no people']]],
  ])('%s', async (_what, rows, errors) => {
    expect((await read(...rows)).errors.map(({ place, message }) => [place, message])).toEqual(errors);
  });

  test('2,000 rows are read, one more is rejected', async () => {
    const rows = Array.from({ length: 2001 }, (_, row) => `user${row}@example.com`);
    expect((await read('email', ...rows.slice(1))).people).toHaveLength(2000);
    expect(await read('email', ...rows)).toEqual({
      people: [],
      errors: [{ place: 'File', message: 'This file has 2,001 rows. Import at most 2,000 at a time.' }],
    });
  });
});
