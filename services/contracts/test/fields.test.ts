import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deliverableEmail, email, newPassword, objectId, tags } from '../src/fields.ts';

describe('tags', () => {
  const tag = fc.string({ maxLength: 20 });

  test('are trimmed, without blanks and duplicates, in their order', () => {
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
  ])('%j is refused', (value) => {
    expect(tags.safeParse(value).success).toBe(false);
  });
});

describe('email', () => {
  test('compares without case and surrounding space', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        expect(email.parse(` ${address.toUpperCase()}\t`)).toBe(address.toLowerCase());
      }),
    );
  });

  test.each(['a@b', 'nobody', 'a b@example.com', '@example.com', 'a@example.com, b@example.com', '<a@example.com>'])(
    '%s receives no mail',
    (address) => {
      expect(deliverableEmail().safeParse(address).success).toBe(false);
    },
  );
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
