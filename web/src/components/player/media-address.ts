/**
 * Where a player gets media: the link without its token, which servers and browsers note with the address. The answer with the
 * link has set a cookie, by which the same media plays.
 */
export function mediaAddress(link: string): string {
  return link.split('?', 1)[0] ?? '';
}
