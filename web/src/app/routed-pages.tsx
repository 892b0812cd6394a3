import { useState } from 'react';
import { RouterProvider } from 'react-router-dom';
import { createRouter } from './router.tsx';

/** Every page but a visitor's first login screen. */
export default function RoutedPages() {
  // Made here, since it begins at the address of this moment.
  const [router] = useState(createRouter);
  return <RouterProvider router={router} />;
}
