import { expect, it } from 'vitest';
import { viewModeOf, viewModes } from './history-screen.tsx';

it('hides the mode by email from role dev alone', () => {
  expect(viewModes('dev').map(({ value }) => value)).toEqual(['all', 'technology']);
  for (const role of ['admin', 'others'] as const) {
    expect(viewModes(role).map(({ value }) => value)).toEqual(['all', 'email', 'technology']);
  }
});

it('falls back to all for an unknown mode in the address', () => {
  expect(viewModeOf('email', 'dev')).toBe('all');
  expect(viewModeOf('email', 'others')).toBe('email');
  expect(viewModeOf('technology', 'dev')).toBe('technology');
  expect(viewModeOf('nonsense', 'admin')).toBe('all');
  expect(viewModeOf(null, 'admin')).toBe('all');
});
