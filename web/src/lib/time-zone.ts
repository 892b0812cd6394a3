interface WithTemporal {
  Temporal?: { Now: { timeZoneId(): string } };
}

/** The reader's time zone, by its IANA name. `Temporal` says it at once; `Intl` makes a whole format for it. */
export function timeZone(): string {
  return (globalThis as WithTemporal).Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}
