/** The recipients that a simulator treats specially, and what becomes of their messages. */
export const simulatorRecipients: readonly (readonly [recipient: string, result: string])[] = [
  ['+10000000001', 'The handset cannot be reached: the message fails as undeliverable.'],
  ['+10000000002', 'The carrier refuses it: the message fails as rejected.'],
  [
    '+10000000003',
    'No delivery receipt arrives: unknown at the end of its validity, else after 3 days.',
  ],
  ['+10000000004', 'Delivered, and the recipient replies with the same text.'],
  ['+10000000005', 'Delivered after 30 seconds.'],
  ['+10000000006', 'Delivered; each receipt arrives twice and out of order, and is notified once.'],
]
