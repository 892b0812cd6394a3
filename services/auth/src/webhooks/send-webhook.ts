import { Webhook as Signer } from 'standardwebhooks';
import type { DeliveryAttempt } from '../outbound/deliver-due.ts';
import { OutboundFailure, type OutboundNetworks, requestOutbound } from '../outbound/outbound-request.ts';

/**
 * Sends a signed message. What the receiver answers is not read. Source: the Standard Webhooks specification.
 * @returns whether the receiver took it, by a status from 200 to 299; and the status, or why there is none
 */
export async function sendWebhook(
  message: { id: string; url: string; secret: string; payload: string },
  networks: OutboundNetworks,
): Promise<DeliveryAttempt> {
  const { id, url, secret, payload } = message;
  const now = new Date();
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': Math.floor(now.getTime() / 1000),
    'webhook-signature': new Signer(secret).sign(id, now, payload),
  };
  try {
    const { status } = await requestOutbound(url, { method: 'POST', headers, body: payload, networks });
    // 410 Gone: the receiver wants no more of it.
    return { succeeded: status >= 200 && status < 300, outcome: String(status), isFinal: status === 410 };
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    return { succeeded: false, outcome: error.message };
  }
}
