import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { deliverableEmail, email, newPassword, objectId, requiredText, slug, tags } from '../src/api/fields.ts';

describe('tags', () => {
  const tag = fc.string({ maxLength: 20 });

  test('are trimmed, without blanks and duplicates, in their original order', () => {
    fc.assert(
      fc.property(fc.array(tag, { maxLength: 20 }), (typed) => {
        const trimmed = typed.map((one) => one.trim());
        expect(tags.parse(typed)).toEqual(trimmed.filter((one, index) => one !== '' && trimmed.indexOf(one) === index));
      }),
    );
  });

  test('default to none', () => {
    expect(tags.parse(undefined)).toEqual([]);
  });

  test.each([
    [null],
    ['a,b'],
    [[1]],
    [[{ $ne: 1 }]],
    [['x'.repeat(51)]],
    [Array.from({ length: 21 }, (_, n) => `${n}`)],
  ])('%j is rejected', (value) => {
    expect(tags.safeParse(value).success).toBe(false);
  });
});

describe('email', () => {
  test('ignores case and surrounding spaces', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        expect(email.parse(` ${address.toUpperCase()}\t`)).toBe(address.toLowerCase());
      }),
    );
  });

  test.each(['a@b', 'nobody', 'a b@example.com', '@example.com', 'a@example.com, b@example.com', '<a@example.com>'])(
    '%s cannot receive email',
    (address) => {
      expect(deliverableEmail().safeParse(address).success).toBe(false);
    },
  );
});

test.each([
  ['a required text', requiredText('Title', 5)],
  ['an email', email],
  ['an email that receives mail', deliverableEmail()],
  ['a slug', slug],
])('%s is limited in length before it is trimmed, as JSON Schema describes it', (_name, schema) => {
  const { maxLength = 0 } = z.toJSONSchema(schema, { io: 'input' });
  expect(maxLength).toBeGreaterThan(0);
  const text = 'a@example.com'.slice(0, maxLength);
  expect(schema.safeParse(text.padEnd(maxLength)).success).toBe(true);
  expect(schema.safeParse(text.padEnd(maxLength + 1)).success).toBe(false);
});

describe('newPassword', () => {
  test.each([
    [7, false],
    [8, true],
    [128, true],
    [129, false],
  ])('of %i characters: %s', (length, fits) => {
    expect(newPassword().safeParse('x'.repeat(length)).success).toBe(fits);
  });

  test('of four emoji is too short, though they are eight UTF-16 units', () => {
    expect(newPassword().safeParse('👩👩👩👩').success).toBe(false);
    expect(newPassword().safeParse('👩👩👩👩👩👩👩👩').success).toBe(true);
  });

  test('is not trimmed', () => {
    expect(newPassword().parse('  secret  ')).toBe('  secret  ');
  });
});

describe('objectId', () => {
  test.each(['0123456789abcdef01234567', '0123456789ABCDEF01234567'])('%s', (id) => {
    expect(objectId.safeParse(id).success).toBe(true);
  });
  test.each([
    '',
    '1',
    '0123456789abcdef0123456z',
    '0123456789abcdef012345678',
    12,
    { $oid: '0123456789abcdef01234567' },
  ])('not %j', (id) => {
    expect(objectId.safeParse(id).success).toBe(false);
  });
});
