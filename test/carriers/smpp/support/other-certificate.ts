/**
 * A certificate for `other.test` alone that signs itself, valid for a hundred years. Its key is no secret:
 * nothing but these tests trusts it.
 */
export const otherCertificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBlzCCAT6gAwIBAgIUSmqKBrLhLOviwbfKjEDVExP3MO8wCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKb3RoZXIudGVzdDAgFw0yNjExMjExOTA5MzdaGA8yMTI2MTAy
ODE5MDkzN1owFTETMBEGA1UEAwwKb3RoZXIudGVzdDBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABB9IvIPQqEsOOI9tmZonX2fahjorvBkw8s7HxPwc4NSwlho3K6zG
fJrgADQC+Lw5D7ra0UYiPA22CYS38MVwSwujajBoMB0GA1UdDgQWBBTYayReq7AJ
g6iRQQS3Dspl/3qynjAfBgNVHSMEGDAWgBTYayReq7AJg6iRQQS3Dspl/3qynjAP
BgNVHRMBAf8EBTADAQH/MBUGA1UdEQQOMAyCCm90aGVyLnRlc3QwCgYIKoZIzj0E
AwIDRwAwRAIgGBWaOa6Pushb/9qOZ81tdKWI5+LddKAQXof0b2YU6rwCIBVBdUvy
xXcuitky0Fp78pIoZ8Mjd4KQfc2ZUl6jTlBU
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgvdaleymp+9BLyoeW
vPUousaeaLMfttZ06004A9ssFxahRANCAAQfSLyD0KhLDjiPbZmaJ19n2oY6K7wZ
MPLOx8T8HODUsJYaNyusxnya4AA0Avi8OQ+62tFGIjwNtgmEt/DFcEsL
-----END PRIVATE KEY-----`,
}
