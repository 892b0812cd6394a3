import { createContext, type RefObject } from 'react';

/** The last page that was shown, where one was before the router was loaded. */
export const LastPage = createContext<RefObject<string | null> | null>(null);
