import { calibrationRoutes } from '@interview-prep/contracts/recording/calibration';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import { type CalibrationDeps, calibrate, readCalibration } from './calibrate.ts';

/** Serves what the built-in judge learned from people, and has it learn now. */
export function serveCalibration(server: RouteServer, deps: CalibrationDeps): void {
  server.serve(calibrationRoutes.readCalibration, () => readCalibration(deps));
  server.serve(calibrationRoutes.calibrate, () => calibrate(deps));
}
