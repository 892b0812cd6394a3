import { calibrationRoutes } from '@interview-prep/contracts/recording/calibration';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import { type CalibrationDeps, calibrate, readCalibration } from './calibrate.ts';

export function serveCalibration(server: RouteServer, deps: CalibrationDeps): void {
  server.serve(calibrationRoutes.readCalibration, () => readCalibration(deps));
  server.serve(calibrationRoutes.calibrate, () => calibrate(deps));
}
