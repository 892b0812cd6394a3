import '@testing-library/jest-dom/vitest';
import { notifications } from '@mantine/notifications';
import { cleanup, configure } from '@testing-library/react';
import * as React from 'react';
import { afterEach } from 'vitest';

// A screen loads when it is first shown, which may take long on a busy machine.
configure({ asyncUtilTimeout: 30_000 });

// happy-dom has no document.fonts, whose loading textareas that grow with their text wait for.
if (!('fonts' in document)) Object.defineProperty(document, 'fonts', { value: new EventTarget() });

// React's development build records a stack for each element, until it has made 10,000 in a second: a tenth of these tests' work.
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
