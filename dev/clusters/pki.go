package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

const pkiUsage = `pki: makes what is missing in a folder and leaves what is there:
  pki authority FOLDER                       FOLDER/ca.crt and ca.key
  pki serving AUTHORITY FOLDER [NAME|IP ...] FOLDER/serving.crt and serving.key for localhost, 127.0.0.1 and the names
  pki client AUTHORITY FOLDER NAME           FOLDER/client.crt and client.key with NAME as its common name
  pki service-accounts FOLDER                FOLDER/service-accounts.pub and service-accounts.key`

// The certificates are for one data folder on one machine; a year would end in
// the middle of somebody's work.
const validity = 20 * 365 * 24 * time.Hour

// runPki makes the certificates of the harness, so that no openssl is needed.
func runPki() int {
	if err := pki(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func pki(arguments []string) error {
	switch {
	case len(arguments) == 2 && arguments[0] == "authority":
		return makeAuthority(arguments[1])
	case len(arguments) >= 3 && arguments[0] == "serving":
		return makeServing(arguments[1], arguments[2], arguments[3:])
	case len(arguments) == 4 && arguments[0] == "client":
		return makeClient(arguments[1], arguments[2], arguments[3])
	case len(arguments) == 2 && arguments[0] == "service-accounts":
		return makeServiceAccountKeys(arguments[1])
	}
	return errors.New(pkiUsage)
}

func makeAuthority(folder string) error {
	certificate := template("multicluster-release development clusters")
	certificate.IsCA = true
	certificate.BasicConstraintsValid = true
	certificate.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageCRLSign | x509.KeyUsageDigitalSignature
	return issue(filepath.Join(folder, "ca"), certificate, nil)
}

func makeServing(authorityFolder, folder string, names []string) error {
	authority, err := readAuthority(authorityFolder)
	if err != nil {
		return err
	}
	certificate := template("localhost")
	certificate.KeyUsage = x509.KeyUsageDigitalSignature
	// etcd's gateway dials its own address with its serving certificate, so it is good for both.
	certificate.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	for _, name := range append([]string{"localhost", "127.0.0.1"}, names...) {
		if address := net.ParseIP(name); address != nil {
			certificate.IPAddresses = append(certificate.IPAddresses, address)
		} else {
			certificate.DNSNames = append(certificate.DNSNames, name)
		}
	}
	return issue(filepath.Join(folder, "serving"), certificate, authority)
}

func makeClient(authorityFolder, folder, name string) error {
	authority, err := readAuthority(authorityFolder)
	if err != nil {
		return err
	}
	certificate := template(name)
	certificate.KeyUsage = x509.KeyUsageDigitalSignature
	certificate.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	return issue(filepath.Join(folder, "client"), certificate, authority)
}

func makeServiceAccountKeys(folder string) error {
	path := filepath.Join(folder, "service-accounts")
	if exists(path+".key") && exists(path+".pub") {
		return nil
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return err
	}
	return errors.Join(writeKey(path+".key", key), writePem(path+".pub", "PUBLIC KEY", public))
}

// authority signs the certificates of the harness.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func template(commonName string) *x509.Certificate {
	return &x509.Certificate{
		Subject: pkix.Name{CommonName: commonName},
		// An hour back, for clocks that are set back between two starts.
		NotBefore: time.Now().Add(-time.Hour),
		NotAfter:  time.Now().Add(validity),
	}
}

// issue writes path.crt and path.key, signed by the authority or, without one,
// by itself. The certificate is written last: its presence says both are there.
func issue(path string, certificate *x509.Certificate, signer *authority) error {
	if exists(path+".crt") && exists(path+".key") {
		return nil
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	certificate.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return err
	}
	if signer == nil {
		signer = &authority{certificate, key}
	}
	signed, err := x509.CreateCertificate(rand.Reader, certificate, signer.certificate, &key.PublicKey, signer.key)
	if err != nil {
		return err
	}
	if err := writeKey(path+".key", key); err != nil {
		return err
	}
	return writePem(path+".crt", "CERTIFICATE", signed)
}

func readAuthority(folder string) (*authority, error) {
	certificateBytes, err := readPem(filepath.Join(folder, "ca.crt"))
	if err != nil {
		return nil, err
	}
	certificate, err := x509.ParseCertificate(certificateBytes)
	if err != nil {
		return nil, err
	}
	keyBytes, err := readPem(filepath.Join(folder, "ca.key"))
	if err != nil {
		return nil, err
	}
	key, err := x509.ParseECPrivateKey(keyBytes)
	if err != nil {
		return nil, err
	}
	return &authority{certificate, key}, nil
}

func readPem(path string) ([]byte, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(content)
	if block == nil {
		return nil, fmt.Errorf("%s: not a PEM file; delete the folder and start again", path)
	}
	return block.Bytes, nil
}

func writeKey(path string, key *ecdsa.PrivateKey) error {
	content, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	return writePem(path, "EC PRIVATE KEY", content)
}

// writePem goes through a second name, so that an interrupted write leaves no half file.
func writePem(path, kind string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	unfinished := fmt.Sprintf("%s.%d.unfinished", path, os.Getpid())
	encoded := pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content})
	if err := os.WriteFile(unfinished, encoded, 0o600); err != nil {
		return err
	}
	return os.Rename(unfinished, path)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
