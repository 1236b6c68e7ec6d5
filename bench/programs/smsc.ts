import { plainBody, startSmsc, noTlvs } from '../../test/carriers/smpp/support/smsc.ts'

// A message centre that takes everything and sends a receipt for each at once. Says where it listens.
let count = 0
const smsc = await startSmsc({
  onSubmit: ({ body }, session) => {
    count += 1
    const messageId = String(count)
    const dates = 'submit date:2611210900 done date:2611210900'
    const text = `id:${messageId} sub:001 dlvrd:001 ${dates} stat:DELIVRD err:000 text:`
    setImmediate(() =>
      session.send({
        command: 'deliver_sm',
        status: 0,
        sequence: count,
        body: {
          ...plainBody,
          source_addr: body.destination_addr,
          destination_addr: body.source_addr,
          esm_class: 0x04,
          short_message: Buffer.from(text, 'latin1'),
        },
        tlvs: noTlvs,
      }),
    )
    return { status: 0, messageId }
  },
})
process.send?.({ port: smsc.port })
process.on('disconnect', () => process.exit())
