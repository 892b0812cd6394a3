import { lazy, Suspense } from 'react';
import InterviewSetsScreen from '../features/interview-sets/interview-sets-screen.tsx';
import { selectUser } from '../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../lib/state/state-hooks.ts';

const AdminOverview = lazy(() => import('../features/admin/overview/admin-overview.tsx'));

/** The sets; for admins, below their pending work. */
export default function HomeScreen() {
  const isAdmin = useAppSelector(selectUser)?.role === 'admin';
  return (
    <InterviewSetsScreen
      overview={
        isAdmin && (
          <Suspense fallback={null}>
            <AdminOverview />
          </Suspense>
        )
      }
    />
  );
}
