// Asio's TCP classes on the one executor.
#pragma once

#include <boost/asio/ip/tcp.hpp>

#include "core/async.hpp"

namespace pacenote {

using TcpSocket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, Executor>;
using TcpAcceptor = boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, Executor>;
using TcpResolver = boost::asio::ip::basic_resolver<boost::asio::ip::tcp, Executor>;

}  // namespace pacenote
