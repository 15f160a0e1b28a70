#include "core/sandbox/certificate.hpp"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <memory>
#include <stdexcept>

namespace pacenote::sandbox {
namespace {

template <class T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

/// OpenSSL fails here only where it has no memory or no randomness.
template <class T>
T* need(T* pointer) {
  if (pointer == nullptr) throw std::runtime_error("OpenSSL cannot make a certificate");
  return pointer;
}

std::string text_of(BIO* memory) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(memory, &data);
  return std::string(data, static_cast<std::size_t>(size));
}

void add_extension(X509* certificate, int id, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  const Owned<X509_EXTENSION> extension(need(X509V3_EXT_conf_nid(nullptr, &context, id, value)),
                                        X509_EXTENSION_free);
  X509_add_ext(certificate, extension.get(), -1);
}

}  // namespace

Certificate make_certificate() {
  constexpr long kDay = 24L * 60 * 60;
  const Owned<EVP_PKEY> key(need(EVP_EC_gen("P-256")), EVP_PKEY_free);
  const Owned<X509> certificate(need(X509_new()), X509_free);
  X509* const x = certificate.get();
  X509_set_version(x, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(x), 1);
  X509_gmtime_adj(X509_getm_notBefore(x), -kDay);
  X509_gmtime_adj(X509_getm_notAfter(x), 365 * kDay);
  X509_set_pubkey(x, key.get());
  X509_NAME* const name = X509_get_subject_name(x);
  const unsigned char common_name[] = "pacenote sandbox";
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, common_name, -1, -1, 0);
  X509_set_issuer_name(x, name);
  add_extension(x, NID_basic_constraints, "critical,CA:TRUE");
  add_extension(x, NID_subject_key_identifier, "hash");
  add_extension(x, NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1,IP:::1");
  if (X509_sign(x, key.get(), EVP_sha256()) == 0)
    throw std::runtime_error("OpenSSL cannot sign a certificate");
  const Owned<BIO> certificate_out(need(BIO_new(BIO_s_mem())), BIO_free_all),
      key_out(need(BIO_new(BIO_s_mem())), BIO_free_all);
  PEM_write_bio_X509(certificate_out.get(), x);
  PEM_write_bio_PrivateKey(key_out.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  return {text_of(certificate_out.get()), text_of(key_out.get())};
}

}  // namespace pacenote::sandbox
