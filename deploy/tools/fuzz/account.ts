/** A signed-in user. */
export interface Account {
  email: string;
  password: string;
  id: string;
  token: string;
}

/** Makes a call that must succeed, in a user's name or in nobody's. */
export type Ask = <Result>(as: Account | null, method: string, target: string, body?: object) => Promise<Result>;
