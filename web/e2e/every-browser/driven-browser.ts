/** A browser that a walk drives. Elements are JavaScript expressions, evaluated in the page. */
export interface DrivenBrowser {
  open: (url: string) => Promise<void>;
  /** The value of an expression, as JSON carries it. */
  evaluate: <T>(expression: string) => Promise<T>;
  /** Clicks with the mouse. */
  click: (element: string) => Promise<void>;
  /** Types on the keyboard. */
  type: (element: string, text: string) => Promise<void>;
  /** Ends the browser as a crash would: nothing in it can still write. The next `open` finds what it had stored. */
  crash: () => Promise<void>;
  close: () => Promise<void>;
}
