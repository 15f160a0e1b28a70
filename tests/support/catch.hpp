// Catch2 by whichever name the installed version has.
#pragma once
#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>  // brings Approx along
#endif
