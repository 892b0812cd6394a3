import { describe, expect, test } from 'vitest';
import { nameToAdd, nameToSave } from './technology-name-rules.ts';

const react = { id: '1', name: 'React', slug: 'react' };
const node = { id: '2', name: 'Node.js', slug: 'node-js' };
const known = [react, node];
const exists = { kind: 'refuse', message: 'Technology already exists' };

describe('adding a name', () => {
  test.each(['', '   ', '\t'])('%j is ignored', (name) => expect(nameToAdd(name, known)).toEqual({ kind: 'ignore' }));
  test.each(['React', 'react', '  REACT '])('%j exists', (name) => expect(nameToAdd(name, known)).toEqual(exists));
  test('a new name is sent, trimmed', () => expect(nameToAdd('  Vue ', known)).toEqual({ kind: 'send', name: 'Vue' }));
  test('a name that is too long is rejected', () =>
    expect(nameToAdd('x'.repeat(101), known)).toEqual({
      kind: 'refuse',
      message: 'Technology name must be at most 100 characters',
    }));
});

describe('saving a name', () => {
  test.each(['', '  '])('%j cannot be empty', (name) =>
    expect(nameToSave(name, react, known)).toEqual({ kind: 'refuse', message: 'Technology name cannot be empty' }),
  );
  test("another technology's name exists", () => expect(nameToSave(' NODE.JS ', react, known)).toEqual(exists));
  test('its own name in another case is sent', () =>
    expect(nameToSave('REACT', react, known)).toEqual({ kind: 'send', name: 'REACT' }));
  test('its unchanged name is not sent', () => expect(nameToSave(' React ', react, known)).toEqual({ kind: 'ignore' }));
});
