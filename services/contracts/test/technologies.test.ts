import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { slugOf, TechnologyName } from '../src/catalog/technologies.ts';

describe('slugOf', () => {
  test('returns lowercase letters and digits joined by single hyphens, or nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(slugOf(name)).toMatch(/^(?:[\p{Letter}\p{Number}\p{Mark}]+(?:-[\p{Letter}\p{Number}\p{Mark}]+)*)?$/u);
      }),
    );
  });

  test('is idempotent, and ignores case and surrounding spaces', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (name) => {
        const slug = slugOf(name);
        expect(slugOf(slug)).toBe(slug);
        expect(slugOf(`  ${name.toUpperCase()} `)).toBe(slug);
      }),
    );
  });

  test.each([
    ['JavaScript', 'javascript'],
    ['Node.js', 'node-js'],
    ['C++', 'c-plus-plus'],
    ['C#', 'c-sharp'],
    ['CSS & HTML', 'css-and-html'],
    ['Élan vital', 'elan-vital'],
    ['Ｒｕｂｙ', 'ruby'],
    ['日本語', '日本語'],
    ['हिन्दी', 'हिन्दी'],
    ['🚀', ''],
    ['---', ''],
  ])('%s → %j', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });
});

describe('TechnologyName', () => {
  test.each([{}, { name: '' }, { name: '  ' }, { name: null }, { name: 1 }, { name: { $gt: '' } }, { name: ['a'] }])(
    '%j is empty',
    (body) => {
      expect(TechnologyName.safeParse(body).error?.issues[0]?.message).toBe('Technology name cannot be empty');
    },
  );

  test('is trimmed, and at most 100 characters', () => {
    expect(TechnologyName.parse({ name: '  Go ' })).toEqual({ name: 'Go' });
    expect(TechnologyName.safeParse({ name: 'x'.repeat(100) }).success).toBe(true);
    expect(TechnologyName.safeParse({ name: 'x'.repeat(101) }).success).toBe(false);
  });
});
