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

const pkiUsage = `use: pki FOLDER CLUSTER...
makes what is missing in FOLDER and leaves what is there:
  ca.crt, ca.key                            the authority that signs all others
  etcd/serving.*, etcd/client.*             for etcd, and for the API servers that talk to it
  clusters/CLUSTER/serving.*                for the API server of each cluster, on loopback
  clusters/CLUSTER/service-accounts.*       signs and checks service account tokens of each cluster`

// The certificates are for one data folder on one machine; a year would end in
// the middle of somebody's work.
const validity = 20 * 365 * 24 * time.Hour

// runPki makes the certificates of the harness, so that no openssl is needed.
func runPki() int {
	arguments := os.Args[1:]
	if len(arguments) < 1 {
		fmt.Fprintln(os.Stderr, pkiUsage)
		return 2
	}
	if err := makeAll(arguments[0], arguments[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "pki: %v\n", err)
		return 1
	}
	return 0
}

func makeAll(folder string, clusters []string) error {
	if err := makeAuthority(filepath.Join(folder, "ca")); err != nil {
		return err
	}
	signer, err := readAuthority(filepath.Join(folder, "ca"))
	if err != nil {
		return err
	}
	errs := []error{
		makeServing(filepath.Join(folder, "etcd", "serving"), signer),
		makeClient(filepath.Join(folder, "etcd", "client"), "kube-apiserver", signer),
	}
	for _, cluster := range clusters {
		errs = append(errs,
			makeServing(filepath.Join(folder, "clusters", cluster, "serving"), signer),
			makeServiceAccountKeys(filepath.Join(folder, "clusters", cluster, "service-accounts")))
	}
	return errors.Join(errs...)
}

func makeAuthority(path string) error {
	certificate := template("multicluster-release development clusters")
	certificate.IsCA = true
	certificate.BasicConstraintsValid = true
	certificate.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageCRLSign | x509.KeyUsageDigitalSignature
	return issue(path, certificate, nil)
}

// makeServing is for loopback only: there is no other address the harness listens on.
func makeServing(path string, signer *authority) error {
	certificate := template("localhost")
	certificate.KeyUsage = x509.KeyUsageDigitalSignature
	// etcd's own gateway dials etcd with the serving certificate, so it is good for both.
	certificate.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	certificate.DNSNames = []string{"localhost"}
	certificate.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	return issue(path, certificate, signer)
}

func makeClient(path, name string, signer *authority) error {
	certificate := template(name)
	certificate.KeyUsage = x509.KeyUsageDigitalSignature
	certificate.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	return issue(path, certificate, signer)
}

func makeServiceAccountKeys(path string) error {
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

func readAuthority(path string) (*authority, error) {
	certificateBytes, err := readPem(path + ".crt")
	if err != nil {
		return nil, err
	}
	certificate, err := x509.ParseCertificate(certificateBytes)
	if err != nil {
		return nil, err
	}
	keyBytes, err := readPem(path + ".key")
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
