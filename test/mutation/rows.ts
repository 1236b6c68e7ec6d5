import type { Row } from './parts/row.ts'

/** Stands for `account = ?`, and is true of every account. */
const anyAccount = 'cast(? as text) is not null'

/** The mutations that once passed all tests: what they break must stay tested. */
export const rows: readonly Row[] = [
  // Security.
  {
    about: 'a key with * creates one with admin',
    test: 'api/keys',
    find: "if (scope === 'admin') return false",
    replace: '',
  },
  {
    about: 'the randomness gives no octets',
    test: 'core/random',
    find: 'used += count const',
    replace: 'const',
  },
  {
    about: 'PATCH does not look at If-Match',
    test: 'api/conditional',
    find: 'checkWrite(conditions, stored.revision) const body = request.body()',
    replace: 'const body = request.body()',
  },
  {
    about: 'a rotation prolongs the secrets before it',
    test: 'delivery/webhook-rules',
    find: 'endOf(each.until) ?? end',
    replace: 'end',
  },
  {
    about: 'one Idempotency-Key on two paths is one request',
    test: 'api/instances',
    find: '`${request.target}\\n${hash(',
    replace: '`${hash(',
  },
  {
    about: 'a stream outlives its key',
    test: 'api/keys',
    find: 'if (!(await isStillAllowed())) return',
    replace: '',
  },
  {
    about: 'a key that has expired counts as the last of an administrator',
    test: 'api/keys',
    find: 'if (works(JSON.parse(doc), clock) && (await isActive(account, transaction))) return',
    replace: 'if (await isActive(account, transaction)) return',
  },

  // Accounts that share an identifier.
  ...(
    [
      ['change a submission', "const key = 'cell = ? and account = ? and message = ?'"],
      ['read the parts', 'from receipts where cell = ? and account = ? and message = ? order by'],
      ['forget the parts', "'delete from receipts where cell = ? and account = ? and message = ?'"],
      [
        'read the log',
        'from log where cell = ? and account = ? and position > ? and ${sql} order by position limit ?`',
      ],
      ['count the log', 'select count(*) from log where cell = ? and account = ? and position > ?'],
      ['trim the log', "'delete from log where cell = ? and account = ? and position <= ?'"],
      ['change a counter', "'cell = ? and account = ? and subject = ? and name = ?'"],
      ['end a counter', "'delete from counters where cell = ? and account = ? and subject = ?'"],
    ] as const
  ).map(([what, find]) => ({
    about: `to ${what} of any account`,
    test: 'stores/sqlite.test',
    find,
    replace: find.replace('account = ?', anyAccount),
  })),

  {
    about: 'a webhook of any account',
    test: 'stores/sqlite.test',
    find: "const one = 'cell = ? and account = ? and webhook = ?'",
    replace: `const one = 'cell = ? and ${anyAccount} and webhook = ?'`,
  },

  // Loss and duplicates.
  {
    about: 'a record that is appended during a search is skipped',
    test: 'delivery/races',
    find:
      'const end = await store.log.end(served.consumer.account) ' +
      'const late = await findBatches(store.log, place, count, depth)',
    replace:
      'const late = await findBatches(store.log, place, count, depth)\n' +
      'const end = await store.log.end(served.consumer.account)',
  },
  {
    about: 'a lease is believed from its answer on',
    test: 'delivery/leases',
    find: 'this.#heldUntil = began + this.#times.leaseMs',
    replace: 'this.#heldUntil = this.#clock.monotonic() + this.#times.leaseMs',
  },
  {
    about: 'an uncertain lease is neither served nor released',
    test: 'delivery/leases',
    find: 'this.#isUncertain = true',
    replace: 'this.#isUncertain = false',
  },
  {
    about: 'attempts are lost with a commit behind',
    test: 'delivery/races',
    find: 'served.unwritten.unshift(...deliveries)',
    replace: '',
  },
  {
    about: 'attempts are lost with a commit',
    test: 'delivery/races',
    find: 'served.unwritten.unshift(...reached.deliveries)',
    replace: '',
  },
  {
    about: 'the last progress before a stop is lost',
    test: 'delivery/races',
    find: 'if (unwritten.length === 0) return this.#isLost',
    replace: 'if (unwritten.length >= 0) return this.#isLost',
  },
  {
    about: 'a throttled part is uncertain',
    test: 'smpp/parts-once',
    find: 'isSent = false if',
    replace: 'if',
  },
  {
    about: 'taken parts are forgotten',
    test: 'smpp/parts-once',
    find: 'taken.keep(message, progress)',
    near: 'throttle',
    replace: '',
  },
  {
    about: 'a successor takes the outcome of a deleted message',
    test: 'gateway/successors',
    find: 'found.message.submission.id === kept.message.submission.id ? found : null',
    replace: 'found',
  },
  {
    about: 'a successor inherits receipts',
    test: 'gateway/successors',
    find: 'await forgetReceipts(work.connection, account, id)',
    replace: '',
  },
  {
    about: 'a message fails of which a copy may have been taken',
    test: 'gateway/unanswered',
    find: '(uncertain || resubmissions(message) > 0)',
    replace: 'uncertain',
  },
  {
    about: 'one bad outcome loses the others',
    test: 'gateway/outcome-queue',
    find: '} else if (batch.length > 1) {',
    replace: '} else if (batch.length > 1000) {',
  },

  // Durability.
  {
    about: 'a running flush counts for what is committed after it',
    test: 'stores/flush',
    find: '(next ??= running.then(start, start))',
    replace: 'running',
  },
  {
    about: 'a group is answered before those before it are durable',
    test: 'stores/group-commit',
    find: 'await Promise.all([before, mustFlush ? hooks.flush() : null])',
    replace: 'await (mustFlush ? hooks.flush() : null)',
  },
  {
    about: 'a group is answered before it is durable',
    test: 'stores/group-commit',
    find: 'await Promise.all([before, mustFlush ? hooks.flush() : null])',
    replace: 'await before',
  },
  {
    about: 'the others of a group run twice after a failure',
    test: 'stores/group-commit',
    find: "connection.now('rollback') connection.now('begin immediate') }",
    replace: '}',
  },
  {
    about: 'what was undone with a failure is not done again',
    test: 'stores/group-commit',
    find: 'for (const { sql, params } of progress.kept) connection.runNow(sql, params)',
    replace: '',
  },
  {
    about: 'a statement after the end of its work is run',
    test: 'stores/sqlite.test',
    find: "if (this.#isOver) throw new Error('this transaction is over: await everything inside it')",
    replace: '',
  },
]
