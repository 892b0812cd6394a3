import { calibrationRoutes } from '@interview-prep/contracts/recording/calibration';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import { type CalibrationDeps, calibrate, readCalibration } from './calibrate.ts';

/** Routes to read the built-in judge's calibration, and to recalibrate it now. */
export function serveCalibration(server: RouteServer, deps: CalibrationDeps): void {
  server.serve(calibrationRoutes.readCalibration, () => readCalibration(deps));
  server.serve(calibrationRoutes.calibrate, () => calibrate(deps));
}
