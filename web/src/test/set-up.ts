import '@testing-library/jest-dom/vitest';
import { notifications } from '@mantine/notifications';
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// A screen loads when it is first shown, which may take long on a busy machine.
configure({ asyncUtilTimeout: 30_000 });

// happy-dom has no document.fonts, whose loading textareas that grow with their text wait for.
if (!('fonts' in document)) Object.defineProperty(document, 'fonts', { value: new EventTarget() });

afterEach(() => {
  cleanup();
  notifications.clean();
  localStorage.clear();
  sessionStorage.clear();
});
