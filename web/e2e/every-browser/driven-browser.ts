/** A browser driven by a test. Elements are JavaScript expressions, evaluated in the page. */
export interface DrivenBrowser {
  open: (url: string) => Promise<void>;
  /** The value of an expression, as serialized to JSON. */
  evaluate: <T>(expression: string) => Promise<T>;
  /** Clicks with the mouse. */
  click: (element: string) => Promise<void>;
  /** Types on the keyboard. */
  type: (element: string, text: string) => Promise<void>;
  /** Kills the browser like a crash: it can't write anything more. The next `open` finds what it had stored. */
  crash: () => Promise<void>;
  close: () => Promise<void>;
}
