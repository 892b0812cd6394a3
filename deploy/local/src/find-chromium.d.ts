/** The browser for tests and measurements: the one that CHROMIUM names, else the first on the PATH. Throws a StartProblem. */
export declare const findChromium: () => string;
