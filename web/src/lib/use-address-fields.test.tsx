import { act, renderHook } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { expect, test } from 'vitest';
import { useAddressFields } from './use-address-fields.ts';

test('edits before the next render add up', () => {
  const { result } = renderHook(() => useAddressFields(), {
    wrapper: ({ children }) => <MemoryRouter initialEntries={['/#kept=1']}>{children}</MemoryRouter>,
  });
  const [, change] = result.current;
  act(() => {
    change({ outcome: 'denied' });
    change({ person: 'ada' });
  });
  expect(result.current[0].toString()).toBe('kept=1&outcome=denied&person=ada');
  act(() => result.current[1]({ outcome: '' }));
  expect(result.current[0].toString()).toBe('kept=1&person=ada');
});
