import '@testing-library/jest-dom/vitest';
import { notifications } from '@mantine/notifications';
import { cleanup, configure } from '@testing-library/react';
import * as React from 'react';
import { afterEach } from 'vitest';

// Screens load lazily, which may take long on a busy machine.
configure({ asyncUtilTimeout: 30_000 });

// happy-dom lacks document.fonts, which auto-growing textareas wait for.
if (!('fonts' in document)) Object.defineProperty(document, 'fonts', { value: new EventTarget() });

// React's development build captures a stack for each of the first 10,000 elements per second: a tenth of these tests' CPU time.
Object.defineProperty(
  (React as unknown as Record<string, object>).__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE,
  'recentlyCreatedOwnerStacks',
  { get: () => 10_000, set: () => {}, configurable: true },
);

afterEach(() => {
  cleanup();
  notifications.clean();
  localStorage.clear();
  sessionStorage.clear();
});
