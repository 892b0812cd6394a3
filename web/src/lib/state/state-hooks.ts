import { useDispatch, useSelector } from 'react-redux';
import type { AppDispatch, RootState } from './root-state.ts';

/** `useDispatch` and `useSelector` with the types of this app's store. */
export const useAppDispatch = useDispatch.withTypes<AppDispatch>();
export const useAppSelector = useSelector.withTypes<RootState>();
