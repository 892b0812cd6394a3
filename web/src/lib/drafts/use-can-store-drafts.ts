import { useEffect, useState } from 'react';
import { canStoreDrafts } from './answer-drafts.ts';

/** Whether the browser's database takes answers. True until that is known. */
export function useCanStoreDrafts(): boolean {
  const [can, setCan] = useState(true);
  useEffect(() => {
    let shown = true;
    void canStoreDrafts().then((found) => {
      if (shown) setCan(found);
    });
    return () => {
      shown = false;
    };
  }, []);
  return can;
}
