import { mkdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '#tests/temporary-folder.ts'
import { ConfigError, readCheckedConfig, readConfig } from './config.ts'

function complaintAbout(env: NodeJS.ProcessEnv) {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  throw new Error('Nothing was refused.')
}

describe('the settings', () => {
  test('can all be left out', () => {
    expect(readConfig({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      loopbackOnly: true,
      dataDir: path.resolve('data'),
      databaseUrl: undefined,
      databaseConnections: 10,
      bucket: undefined,
      backupSecret: undefined,
      publicUrl: undefined,
      trustProxy: 0,
      firstAdmin: undefined,
      rateLimits: true,
      logLevel: 'info',
      metricsPort: undefined,
      ...{ mail: undefined, offsite: undefined, timeZone: 'America/Mexico_City', lost: [], secretKeyFile: undefined },
      drainSeconds: 0,
      stopSeconds: 30,
    })
  })

  test('are read as they are meant', () => {
    const config = readConfig({
      PORT: '8080',
      HOST: '0.0.0.0',
      DATA_DIR: '/srv/vitrina',
      DATABASE_URL: 'postgresql://someone@db.example/vitrina',
      S3_BUCKET: 'models',
      S3_ENDPOINT: 'https://s3.example',
      S3_REGION: 'garage',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
      S3_PATH_STYLE: 'true',
      S3_PREFIX: '/sites/models/',
      S3_PUBLIC_URL: 'https://cdn.example/sites/models/',
      BACKUP_PASSPHRASE: ' correct horse battery ',
      OFFSITE_S3_BUCKET: 'copies',
      OFFSITE_S3_ENDPOINT: 'https://s3.elsewhere.example',
      OFFSITE_S3_REGION: 'far',
      OFFSITE_S3_ACCESS_KEY_ID: 'other key',
      OFFSITE_S3_SECRET_ACCESS_KEY: 'other secret',
      OFFSITE_S3_PATH_STYLE: 'true',
      OFFSITE_S3_PREFIX: 'models/',
      PUBLIC_URL: 'https://models.example/',
      TRUST_PROXY: 'true',
      ADMIN_USERNAME: 'Álvaro',
      ADMIN_PASSWORD: 'a good one',
      SMTP_URL: 'smtps://site:p%40ss@smtp.example.com',
      MAIL_FROM: 'Models, by hand <site@models.example>',
      MAIL_TO: 'ana@models.example, "Robles, Luis" <luis@models.example>,',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'debug',
      DATABASE_CONNECTIONS: '25',
      METRICS_PORT: '9100',
      DRAIN_SECONDS: '8',
      STOP_SECONDS: '90',
    })
    expect(config).toEqual({
      port: 8080,
      host: '0.0.0.0',
      loopbackOnly: false,
      dataDir: '/srv/vitrina',
      databaseUrl: 'postgresql://someone@db.example/vitrina',
      databaseConnections: 25,
      bucket: {
        bucket: 'models',
        endpoint: 'https://s3.example',
        region: 'garage',
        credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
        pathStyle: true,
        prefix: 'sites/models/',
        publicUrl: 'https://cdn.example/sites/models',
      },
      backupSecret: { passphrase: ' correct horse battery ' },
      offsite: {
        kind: 'bucket',
        bucket: {
          bucket: 'copies',
          endpoint: 'https://s3.elsewhere.example',
          region: 'far',
          credentials: { accessKeyId: 'other key', secretAccessKey: 'other secret' },
          pathStyle: true,
          prefix: 'models/',
          publicUrl: undefined,
        },
      },
      publicUrl: 'https://models.example',
      trustProxy: 1,
      firstAdmin: { username: 'Álvaro', password: 'a good one' },
      mail: {
        server: { host: 'smtp.example.com', port: 465, secure: true, credentials: { user: 'site', pass: 'p@ss' } },
        from: { name: 'Models, by hand', address: 'site@models.example' },
        to: [
          { name: '', address: 'ana@models.example' },
          { name: 'Robles, Luis', address: 'luis@models.example' },
        ],
      },
      rateLimits: false,
      logLevel: 'debug',
      metricsPort: 9100,
      drainSeconds: 8,
      stopSeconds: 90,
      ...{ timeZone: 'America/Mexico_City', lost: [], secretKeyFile: undefined },
    })
  })

  test.each([
    ['', 0],
    ['false', 0],
    ['0', 0],
    ['true', 1],
    ['1', 1],
    ['2', 2],
  ])('TRUST_PROXY is the number of proxies in front: %j means %i', (given, proxies) => {
    expect(readConfig({ TRUST_PROXY: given }).trustProxy).toBe(proxies)
  })

  test.each(['yes', '-1', '1.5', '10', '0x1', 'loopback', '127.0.0.1'])('TRUST_PROXY is nothing else: %j', (given) => {
    expect(complaintAbout({ TRUST_PROXY: given })).toContain('must be how many proxies are in front of the site')
  })

  test.each(['HTTPS://Models.Example/', 'https://models.example:443'])(
    'PUBLIC_URL is taken as browsers write it: %s',
    (given) => {
      expect(readConfig({ PUBLIC_URL: given }).publicUrl).toBe('https://models.example')
    },
  )

  test.each(['https://a b', 'https://ana:secret@models.example', 'https://models.example?x', 'https://models.example:99999'])(
    'PUBLIC_URL is an address and nothing more: %s',
    (given) => {
      expect(complaintAbout({ PUBLIC_URL: given })).toContain('must be the address visitors use')
    },
  )

  test('that are empty count as left out', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: ' ', ADMIN_USERNAME: '', ADMIN_PASSWORD: '' })).toEqual(readConfig({}))
  })

  test.each(['127.0.0.1', 'localhost', '::1'])('%s is reached from this machine only', (host) => {
    expect(readConfig({ HOST: host }).loopbackOnly).toBe(true)
  })

  test('that are wrong are all named at once, each with its cure', () => {
    const complaint = complaintAbout({
      PORT: 'eighty',
      DATABASE_URL: 'mysql://db.example',
      PUBLIC_URL: 'https://models.example/shop',
      TRUST_PROXY: 'maybe',
      RATE_LIMITS: 'no',
      LOG_LEVEL: 'loud',
      ADMIN_USERNAME: 'Al',
      ADMIN_PASSWORD: 'short',
    })
    expect(complaint.split('\n')).toEqual([
      'Cannot start: 8 settings need attention.',
      '  PORT            must be a port number between 0 and 65535',
      '  DATABASE_URL    must begin with postgres:// (leave it out to use the built-in database in DATA_DIR)',
      '  PUBLIC_URL      must be the address visitors use, such as https://example.com, without a path',
      '  TRUST_PROXY     must be how many proxies are in front of the site: 0 for none, or 1 to 9',
      '  RATE_LIMITS     must be on or off',
      '  LOG_LEVEL       must be fatal, error, warn, info, debug, trace or silent',
      '  ADMIN_USERNAME  Username must be at least 3 characters.',
      '  ADMIN_PASSWORD  Password must be at least 6 characters.',
    ])
  })

  test('a bucket needs no more than its name', () => {
    expect(readConfig({ S3_BUCKET: 'models' }).bucket).toEqual({
      bucket: 'models',
      endpoint: undefined,
      region: 'us-east-1',
      credentials: undefined,
      pathStyle: false,
      prefix: '',
      publicUrl: undefined,
    })
  })

  test('of a bucket that are wrong or stand alone are named', () => {
    expect(
      complaintAbout({ S3_BUCKET: 'models', S3_ENDPOINT: 's3.example', S3_PATH_STYLE: 'yes', S3_SECRET_ACCESS_KEY: 'x' }),
    ).toBe(
      [
        'Cannot start: 3 settings need attention.',
        '  S3_ENDPOINT      must be the address of the service, such as https://s3.example.com',
        '  S3_PATH_STYLE    must be true or false',
        '  S3_ACCESS_KEY_ID is missing while S3_SECRET_ACCESS_KEY is set. Set both, or neither.',
      ].join('\n'),
    )
    expect(complaintAbout({ S3_ENDPOINT: 'https://s3.example' })).toContain(
      'S3_BUCKET       is missing while S3_ENDPOINT is set.',
    )
  })

  test('of the second place for backups name a folder or a bucket, and not the first place again', () => {
    expect(readConfig({ OFFSITE_DIR: 'disk/copies' }).offsite).toEqual({
      kind: 'folder',
      folder: path.resolve('disk/copies'),
    })
    expect(complaintAbout({ OFFSITE_DIR: '/mnt/copies', OFFSITE_S3_BUCKET: 'copies' })).toContain(
      'OFFSITE_DIR     is set together with OFFSITE_S3_BUCKET. Set one of them.',
    )
    for (const folder of ['/srv/vitrina', '/srv/vitrina/copies/', '/srv/other/../vitrina/copies']) {
      expect(complaintAbout({ DATA_DIR: '/srv/vitrina', OFFSITE_DIR: folder })).toContain('OFFSITE_DIR     is in DATA_DIR')
    }
    expect(readConfig({ DATA_DIR: '/srv/vitrina', OFFSITE_DIR: '/srv/vitrina-copies' }).offsite?.kind).toBe('folder')
    const site = { S3_BUCKET: 'models', S3_ENDPOINT: 'https://s3.example', S3_PREFIX: '/one/' }
    const same = { OFFSITE_S3_BUCKET: 'models', OFFSITE_S3_ENDPOINT: 'https://s3.example/', OFFSITE_S3_PREFIX: 'one' }
    expect(complaintAbout({ ...site, ...same })).toContain('OFFSITE_S3_BUCKET is the bucket of the site itself')
    expect(readConfig({ ...site, ...same, OFFSITE_S3_PREFIX: 'two' }).offsite?.kind).toBe('bucket')
    expect(complaintAbout({ OFFSITE_S3_PREFIX: 'two' })).toContain(
      'OFFSITE_S3_BUCKET is missing while OFFSITE_S3_PREFIX is set.',
    )
    expect(complaintAbout({ OFFSITE_S3_BUCKET: 'copies', OFFSITE_S3_ACCESS_KEY_ID: 'key' })).toContain(
      'OFFSITE_S3_SECRET_ACCESS_KEY is missing while OFFSITE_S3_ACCESS_KEY_ID is set. Set both, or neither.',
    )
  })

  test('a folder for copies that leads back into the data by a link is refused', async () => {
    const folder = await temporaryFolder()
    await mkdir(path.join(folder, 'data/copies'), { recursive: true })
    await symlink(path.join(folder, 'data/copies'), path.join(folder, 'link'))
    const env = { DATA_DIR: path.join(folder, 'data'), OFFSITE_DIR: path.join(folder, 'link') }
    expect(complaintAbout(env)).toContain('OFFSITE_DIR     is in DATA_DIR')
  })

  test('backups are encrypted with a passphrase or with a key of age, and neither is shown in a complaint', () => {
    const key = 'AGE-SECRET-KEY-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J33'
    expect(readConfig({ BACKUP_KEY: ` ${key} ` }).backupSecret).toEqual({ key })
    expect(complaintAbout({ BACKUP_PASSPHRASE: 'too short' })).toBe(
      'Cannot start: 1 setting needs attention.\n  BACKUP_PASSPHRASE must be at least 12 characters long',
    )
    expect(complaintAbout({ BACKUP_KEY: key.slice(1) })).toBe(
      'Cannot start: 1 setting needs attention.\n  BACKUP_KEY      must be a key as age-keygen writes it: the whole line that begins with AGE-SECRET-KEY-1',
    )
    expect(complaintAbout({ BACKUP_KEY: key, BACKUP_PASSPHRASE: 'correct horse battery' })).toContain(
      'BACKUP_KEY      is set together with BACKUP_PASSPHRASE.',
    )
  })

  test('a key of age that differs in a letter is refused', async () => {
    const key = 'AGE-SECRET-KEY-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J33'
    expect((await readCheckedConfig({ BACKUP_KEY: key })).backupSecret).toEqual({ key })
    for (let at = 16; at < key.length; at += 1) {
      const mistyped = `${key.slice(0, at)}${key[at] === 'Q' ? 'P' : 'Q'}${key.slice(at + 1)}`
      await expect(readCheckedConfig({ BACKUP_KEY: mistyped })).rejects.toThrow('BACKUP_KEY      must be a key as age-keygen')
    }
  })

  test('of mail that are wrong or stand alone are named, and no password with them', () => {
    const complaint = complaintAbout({
      SMTP_URL: 'smtp://site:hush@smtp.example.com:465',
      MAIL_FROM: 'me',
      MAIL_TO: 'a@b.example, c',
    })
    expect(complaint.split('\n')).toEqual([
      'Cannot start: 3 settings need attention.',
      '  SMTP_URL        has smtp:// with port 465, which is encrypted from the start. Write smtps:// instead',
      '  MAIL_FROM       must be an e-mail address, such as site@example.com or Vitrina <site@example.com>',
      '  MAIL_TO         must be the email address that messages are sent to, or several with commas between them',
    ])
    expect(complaintAbout({ MAIL_TO: 'ana@models.example' })).toBe(
      [
        'Cannot start: 2 settings need attention.',
        '  SMTP_URL        is missing while MAIL_TO is set. Set all three, or none.',
        '  MAIL_FROM       is missing while MAIL_TO is set. Set all three, or none.',
      ].join('\n'),
    )
  })

  test.each(['-1', '65536', '80.5', 'http', '1e9'])('PORT=%s is refused', (port) => {
    expect(complaintAbout({ PORT: port })).toBe(
      'Cannot start: 1 setting needs attention.\n  PORT            must be a port number between 0 and 65535',
    )
  })

  test('a name without a password, or the other way round, is refused', () => {
    expect(complaintAbout({ ADMIN_USERNAME: 'Ana' })).toContain(
      'ADMIN_PASSWORD  is missing while ADMIN_USERNAME is set. Set both, or neither.',
    )
    expect(complaintAbout({ ADMIN_PASSWORD: 'a good one' })).toContain(
      'ADMIN_USERNAME  is missing while ADMIN_PASSWORD is set. Set both, or neither.',
    )
  })

  test('a name of which something cannot be seen is refused', () => {
    expect(complaintAbout({ ADMIN_USERNAME: 'An\u200ba', ADMIN_PASSWORD: 'a good one' })).toContain(
      'ADMIN_USERNAME  Username must not contain invisible characters.',
    )
  })

  test('the password everybody knows is refused', () => {
    expect(complaintAbout({ ADMIN_USERNAME: 'Ana', ADMIN_PASSWORD: 'admin123' })).toContain(
      'ADMIN_PASSWORD  is the password of the demo account, which everybody knows. Choose another.',
    )
  })

  test('a password keeps the blanks around it, as the sign-in page does', () => {
    expect(readConfig({ ADMIN_USERNAME: 'Ana', ADMIN_PASSWORD: ' a good one ' }).firstAdmin).toEqual({
      username: 'Ana',
      password: ' a good one ',
    })
  })
})
