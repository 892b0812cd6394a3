import { Suspense, useEffect, useRef, useState } from 'react';
import { LoginScreen } from '../features/sign-in/login-screen.tsx';
import { publicPaths } from '../lib/paths.ts';
import { selectSignIn } from '../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../lib/state/state-hooks.ts';
import { loadRoutedPages } from './fetch-page.ts';
import { lazyPage } from './lazy-page.tsx';
import { LastPage, MainContent } from './main-content.tsx';
import { isAt } from './routes.ts';

const routedPages = lazyPage(loadRoutedPages);

/** The router loads on the first input, so it is ready by the time the password has been checked. */
const firstInputs = ['pointerdown', 'keydown'] as const;

/** The login screen for visitors, without the router, which loads for everything else. */
export function FirstPage() {
  const { status } = useAppSelector(selectSignIn);
  const [isVisitor, setVisitor] = useState(
    () => status === 'unauthenticated' && !publicPaths.some((path) => isAt(path, window.location.pathname)),
  );
  const lastPage = useRef<string | null>(null);

  useEffect(() => {
    if (!isVisitor) return;
    // Failures surface when the pages render.
    const load = () => void loadRoutedPages().catch(() => undefined);
    for (const act of firstInputs) window.addEventListener(act, load, { once: true });
    return () => {
      for (const act of firstInputs) window.removeEventListener(act, load);
    };
  }, [isVisitor]);

  if (isVisitor && status === 'authenticated') setVisitor(false);
  if (!isVisitor) {
    return (
      <LastPage value={lastPage}>
        <Suspense fallback={null}>{routedPages}</Suspense>
      </LastPage>
    );
  }
  const goTo = (path: string) => {
    window.history.pushState(null, '', path);
    setVisitor(false);
  };
  return (
    <MainContent page="login" lastPage={lastPage}>
      <LoginScreen goTo={goTo} />
    </MainContent>
  );
}
