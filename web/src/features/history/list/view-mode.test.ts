import { expect, it } from 'vitest';
import { viewModeOf, viewModes } from './history-screen.tsx';

it("has the mode by email for admins, who see other people's sessions", () => {
  for (const role of ['dev', 'others'] as const) {
    expect(viewModes(role).map(({ value }) => value)).toEqual(['all', 'technology']);
  }
  expect(viewModes('admin').map(({ value }) => value)).toEqual(['all', 'email', 'technology']);
});

it('falls back to all for an unknown mode in the URL', () => {
  expect(viewModeOf('email', 'dev')).toBe('all');
  expect(viewModeOf('email', 'others')).toBe('all');
  expect(viewModeOf('email', 'admin')).toBe('email');
  expect(viewModeOf('technology', 'dev')).toBe('technology');
  expect(viewModeOf('nonsense', 'admin')).toBe('all');
  expect(viewModeOf(null, 'admin')).toBe('all');
});
