import {
  array,
  choice,
  integer,
  map,
  object,
  text,
  type ValueOf,
} from '../../../core/declaration/field.ts'

const template = { maxLength: 4000 } as const

/** Settings of an HTTP carrier for its credentials at the provider. */
export const credentialFields = {
  basic: object(
    {
      username: text({ required: true, ...template }),
      password: text({ required: true, ...template }),
    },
    {
      nullable: true,
      description: 'HTTP Basic: user name and password, the password a `{{secret.…}}`.',
    },
  ),
  bearer: text({
    nullable: true,
    ...template,
    description: 'A bearer token, a `{{secret.…}}`.',
  }),
  oauth2: object(
    {
      tokenUrl: text({ required: true, minLength: 1, maxLength: 2000 }),
      clientId: text({ required: true, ...template }),
      clientSecret: text({ required: true, ...template }),
      clientAuthentication: choice(['BASIC', 'FORM'], { default: 'BASIC' }),
      form: map(text(template), { default: {}, maxProperties: 20 }),
    },
    {
      nullable: true,
      description:
        'OAuth 2 client credentials: `tokenUrl`, `clientId`, `clientSecret` (a `{{secret.…}}`), where ' +
        'both go (`clientAuthentication`), and further fields such as `scope` in `form`. The token ' +
        'is renewed before it expires.',
    },
  ),
  jwt: object(
    {
      algorithm: choice(['RS256', 'ES256', 'EdDSA', 'HS256'], { required: true }),
      key: text({ required: true, maxLength: 200 }),
      keyId: text({ nullable: true, maxLength: 200 }),
      claims: object({}, { open: true, nullable: true }),
      lifetimeSeconds: integer({ minimum: 30, maximum: 86_400, default: 300 }),
    },
    {
      nullable: true,
      description:
        'A bearer token that the service signs: `algorithm`, `key` (a `{{secret.…}}`: PKCS #8 as PEM, ' +
        'or for HS256 a text), `keyId`, `claims` and `lifetimeSeconds`. `iat`, `exp` and `jti` are added.',
    },
  ),
  sigv4: object(
    {
      accessKeyId: text({ required: true, maxLength: 200 }),
      secretAccessKey: text({ required: true, maxLength: 200 }),
      sessionToken: text({ nullable: true, maxLength: 4000 }),
      region: text({ required: true, maxLength: 100 }),
      service: text({ required: true, maxLength: 100 }),
    },
    {
      nullable: true,
      description:
        'AWS Signature Version 4: `accessKeyId`, `secretAccessKey` (a `{{secret.…}}`), `sessionToken`, ' +
        '`region` and `service`.',
    },
  ),
  parameters: map(text({ maxLength: 1000 }), {
    default: {},
    maxProperties: 50,
    description: 'Values for `{{parameter.…}}`.',
  }),
  secrets: map(text({ minLength: 1, maxLength: 4000 }), {
    writeOnly: true,
    nullable: true,
    maxProperties: 50,
    description: 'Values for `{{secret.…}}`; never in responses.',
  }),
  check: object(
    {
      method: choice(['GET', 'HEAD', 'POST'], { default: 'GET' }),
      url: text({ required: true, minLength: 1, maxLength: 2000 }),
      refused: array(text({ pattern: '^[45][0-9]{2}$', form: 'a status such as 401' }), {
        default: ['401'],
        maxItems: 10,
      }),
    },
    {
      nullable: true,
      description:
        'A request without effect that needs the credentials, such as one for the balance. It is sent at ' +
        'the start and while the carrier is DOWN; a status in `refused` keeps it DOWN.',
    },
  ),
} as const

/** Declared OAuth 2 client credentials. */
export type OauthSettings = NonNullable<ValueOf<(typeof credentialFields)['oauth2']>>

/** A declared token that the service signs. */
export type JwtSettings = NonNullable<ValueOf<(typeof credentialFields)['jwt']>>

/** Declared credentials of AWS. */
export type Sigv4Settings = NonNullable<ValueOf<(typeof credentialFields)['sigv4']>>
